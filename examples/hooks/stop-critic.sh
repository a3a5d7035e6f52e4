#!/bin/sh
# A stop hook for agent programs: the agent may not call its work done before the document holds.
#
#   stop-critic.sh FILE CRITERIA
#
# The program gives the hook a JSON object on stdin and lets the agent stop when it exits 0. Exit code 2 makes the agent
# go on, with what is on stderr as the reason. For Claude Code, in .claude/settings.json:
#
#   {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh stop-critic.sh plan.md docs"}]}]}}
#
# The document is judged as it is: nothing is fixed behind the agent's back. It fails closed: when there was no review
# (a wrong call, no such criteria, no agent for what takes an opinion, no jury at all) the agent is sent back with what
# is wrong, as it is when the document does not hold. It may stop, with a message to the person, when a question waits
# for one, when the review was interrupted, and after JURY_STOP_MOST attempts (5): an agent cannot change those.
set -u
file=${1:-} criteria=${2:-} most=${JURY_STOP_MOST:-5}

input=$(cat)
session=$(printf '%s' "$input" | tr -d '\n' | sed -n 's/.*"session_id"[[:space:]]*:[[:space:]]*"\([A-Za-z0-9_-]*\)".*/\1/p')
dir=${OD_DATA_DIR:-.od}
count="$dir/stop-${session:-unknown}.count"

# Says something to the person, and lets the agent stop.
leave() {
    rm -f "$count"
    text=$(printf '%s' "$1" | tr '\n"\\' "  /")
    printf '{"systemMessage": "%s"}\n' "$text"
    exit 0
}

report=$(jury --data-dir "$dir" critic run "$file" --criteria "$criteria" --no-input --no-fix --quiet --format text 2>&1)
code=$?
case $code in
    0) rm -f "$count"; exit 0 ;;
    1) why="$file does not hold yet. Fix what is FAIL, then stop again." ;;
    4) leave "$file waits for a person: see jury decisions list" ;;
    130) leave "$file was not reviewed: the review was interrupted" ;;
    *) why="$file was NOT REVIEWED (jury ended with exit code $code). Mend what is wrong, or tell the person, then stop again." ;;
esac

mkdir -p "$dir" 2>/dev/null
tried=$(( $(cat "$count" 2>/dev/null || echo 0) + 1 ))
if [ "$tried" -gt "$most" ]; then
    case $code in
        1) leave "$file did not converge after $most attempts" ;;
        *) leave "$file was NOT REVIEWED in $most attempts (exit code $code): $(printf '%s' "$report" | tail -n 1)" ;;
    esac
fi
echo "$tried" > "$count"
printf '%s\n\n%s\n' "$why" "$report" >&2
exit 2
