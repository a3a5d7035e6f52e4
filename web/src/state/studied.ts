// The studio as a fold of its log. It mirrors `Studio::apply` of the program; a test compares what both come to over golden
// logs. Studios are values: an event makes a new one.
import type { Blob, ContentEvent, Finished, Lost, Standing, Usage, Writer } from "../content/wire";
import type { Round, Studio } from "./studio";

export const fold = (studio: Studio, events: readonly ContentEvent[]): Studio => events.reduce(apply, studio);

/** The studio after one more event. */
export function apply(studio: Studio, event: ContentEvent): Studio {
  switch (event.event) {
    case "content.queued":
      return { ...studio, queued: event };
    case "content.run_started":
      return { ...studio, started: event };
    case "content.drafted":
      return { ...begun(studio, event, event.remarks), saved: null, site: {}, needs: null, halted: null, paused: null };
    case "content.revised":
      return begun(studio, event, [], event.lost, event.done);
    case "content.panel_selected":
      return { ...studio, panel: event };
    case "content.critic_started":
      return inRound(studio, event.round, (round) => ({
        ...round,
        asked: { ...round.asked, [event.advisorId]: event.attempt },
        absent: without(round.absent, event.advisorId),
      }));
    case "content.critiqued": {
      const { critique } = event;
      return inRound(spend(studio, critique.usage), event.round, (round) => ({
        ...round,
        absent: without(round.absent, critique.advisorId),
        critiques: { ...round.critiques, [critique.advisorId]: critique },
      }));
    }
    case "content.critic_absent":
      return inRound(studio, event.round, (round) => ({ ...round, absent: { ...round.absent, [event.advisorId]: event } }));
    case "content.measured":
      return inRound(studio, event.round, (round) => ({ ...round, measured: event }));
    case "content.decided":
      return inRound(studio, event.round, (round) => ({ ...round, ruling: event, open: event.open }));
    case "content.summarised":
      return inRound(studio, event.round, (round) => ({ ...round, summary: event }));
    case "content.needs_human":
      return { ...studio, needs: event };
    case "content.saved":
      return { ...studio, saved: event };
    case "content.branded":
      return { ...studio, site: { ...studio.site, branded: event } };
    case "content.assembled":
      return { ...studio, site: { ...studio.site, assembled: event } };
    case "content.validated":
      return { ...studio, site: { ...studio.site, validated: event } };
    case "content.repo_created":
      return { ...studio, site: { ...studio.site, repo: event } };
    case "content.pushed":
      return { ...studio, site: { ...studio.site, pushed: event } };
    case "content.deployed":
      return { ...studio, site: { ...studio.site, deployed: event } };
    case "content.verified":
      return { ...studio, site: { ...studio.site, verified: event } };
    case "content.agent":
      return spend(studio, event.usage);
    case "content.halted":
      return { ...studio, halted: event };
    case "content.paused":
      return { ...studio, paused: event.reason };
    case "content.resumed":
      return takenUp(studio);
    case "content.finished":
      return { ...studio, ended: endOf(event), finished: event };
    case "content.abandoned":
      return { ...studio, ended: "abandoned", abandoned: event.reason ?? "" };
    default:
      // A newer daemon may know more.
      return studio;
  }
}

const endOf = ({ quality, unreviewed }: Finished): Standing => (quality === "approved" && unreviewed ? "unreviewed" : quality);

interface Written {
  round: number;
  draft: Blob;
  writer: Writer;
  words: number;
  usage?: Usage;
}

function begun(studio: Studio, by: Written, remarks: string[] = [], lost: Lost[] = [], done: string[] = []): Studio {
  const { round, draft, writer, words } = by;
  const fresh: Round = { round, draft, writer, words, remarks, lost, done, asked: {}, critiques: {}, absent: {}, measured: null, ruling: null, open: [], summary: null };
  return { ...spend(studio, by.usage), rounds: [...studio.rounds, fresh] };
}

/** Somebody takes it up: what was missing is asked for again. */
function takenUp(studio: Studio): Studio {
  const last = studio.rounds.at(-1);
  const again = { ...studio, paused: null, halted: null };
  if (!last) return again;
  const undecided = last.ruling?.decision === "error" ? { ruling: null, open: [], summary: null } : {};
  return { ...again, rounds: [...studio.rounds.slice(0, -1), { ...last, absent: {}, ...undecided }] };
}

/** The newest round of this number, changed; nothing when there is none. */
function inRound(studio: Studio, number: number, change: (round: Round) => Round): Studio {
  const at = studio.rounds.findLastIndex(({ round }) => round === number);
  if (at < 0) return studio;
  return { ...studio, rounds: studio.rounds.map((round, index) => (index === at ? change(round) : round)) };
}

function without<T>(map: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = map;
  return rest;
}

function spend(studio: Studio, usage: Usage | null | undefined): Studio {
  if (!usage) return studio;
  const { inputTokens, outputTokens, costUsd } = studio.usage;
  const cost = costUsd === undefined && usage.costUsd === undefined ? {} : { costUsd: (costUsd ?? 0) + (usage.costUsd ?? 0) };
  return { ...studio, usage: { inputTokens: inputTokens + usage.inputTokens, outputTokens: outputTokens + usage.outputTokens, ...cost } };
}
