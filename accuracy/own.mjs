// The pages of this project: nothing serious may be said about them by the house, and nothing at all by axe.
export function own(answers, reports) {
  const wrong = [];
  const rows = answers.map(({ page, axe }) => {
    const report = reports.get(page);
    const must = (report?.findings ?? []).filter((found) => ["serious", "critical"].includes(found.severity));
    for (const found of must) wrong.push({ page, what: `${found.check}: ${found.what}` });
    for (const rule of axe.violations) wrong.push({ page, what: `axe ${rule.id}: ${rule.nodes.map((node) => node.path).join(", ")}` });
    const scores = Object.fromEntries((report?.seats ?? []).map((seat) => [seat.role, seat.score?.low.toFixed(1) ?? "-"]));
    return [page, must.length, (report?.undecided ?? []).length, axe.violations.length, scores.critic ?? "-", scores.a11y ?? "-", scores.copy ?? "-"];
  });
  return {
    title: "Pages of this project",
    columns: ["page", "must fix", "undecided", "axe", "critic", "a11y", "copy"],
    rows,
    wrong,
    bars: [{ what: "no must-fix and no violation on clean pages", holds: wrong.length === 0, figure: `${wrong.length} on ${answers.length} pages` }],
  };
}
