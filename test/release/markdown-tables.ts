/** A table of a document: the heading above it, and its rows by column. */
export interface MarkdownTable {
  readonly heading: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The tables of a document, without the backticks around a whole cell. */
export function markdownTables(text: string): readonly MarkdownTable[] {
  const tables: { heading: string; rows: Record<string, string>[] }[] = [];
  let heading = "";
  let columns: readonly string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) heading = line.replace(/^#+ /, "").replace(/ \{#[\w-]+\}$/, "");
    if (!line.startsWith("|")) {
      columns = undefined;
      continue;
    }
    const cells = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cellText);
    if (columns === undefined) {
      columns = cells;
      tables.push({ heading, rows: [] });
    } else if (!/^[|\s:-]+$/.test(line)) {
      const names = columns;
      tables.at(-1)?.rows.push(Object.fromEntries(cells.map((cell, index) => [names[index] ?? "", cell])));
    }
  }
  return tables;
}

function cellText(cell: string): string {
  const text = cell.trim().replaceAll("\\|", "|");
  return /^`[^`]*`$/.test(text) ? text.slice(1, -1) : text;
}
