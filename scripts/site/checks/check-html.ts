/** Finds what is wrong in the HTML of a page, as a reader without scripts gets it. */
export function checkHtml(html: string): readonly string[] {
  const problems: string[] = [];
  const body = /<main\b[^]*<\/main>/.exec(html)?.[0] ?? "";
  const headings = [...body.matchAll(/<h1\b[^]*?<\/h1>/g)];
  if (headings.length !== 1) problems.push(`it has ${headings.length} headings h1: write one`);
  const title = /<title>([^]*?)<\/title>/.exec(html)?.[1]?.trim() ?? "";
  if (title === "") problems.push("it has no title");
  if (!/<html\b[^>]*\slang="[^"]+"/.test(html)) problems.push("it does not state its language");
  for (const [tag] of html.matchAll(/<img\b[^>]*>/g))
    if (!/\salt="[^"]+"/.test(tag)) problems.push(`an image has no alternative text: ${tag}`);
  const levels = [...body.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
  for (const [index, level] of levels.entries())
    if (level > (levels[index - 1] ?? 0) + 1) problems.push(`a heading h${level} follows h${levels[index - 1] ?? 0}`);
  if (textOf(body).length < 40) problems.push("it has no text without scripts");
  return problems;
}

function textOf(html: string): string {
  return html
    .replace(/<(script|style)\b[^]*?<\/\1>|<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
