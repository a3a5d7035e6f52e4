// Tables for a terminal and for a document.

/** Two decimals or nothing to divide by. */
export const share = (part, whole) => (whole === 0 ? "-" : (part / whole).toFixed(4));

/** Per cent with two decimals. */
export const percent = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(2)} %`);

const isNumber = (cell) => /^[-+]?[\d.,]+( %|×| ms| MB)?$|^-$/.test(String(cell));

/** Columns that line up. */
export function plain({ columns, rows }) {
  const all = [columns, ...rows].map((row) => row.map(String));
  const width = columns.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, column) => (isNumber(cell) ? cell.padStart(width[column]) : cell.padEnd(width[column]))).join("  ").trimEnd();
  return all.map(line).join("\n");
}

/** A table of Markdown. */
export function markdown({ columns, rows }) {
  const line = (row) => `| ${row.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
