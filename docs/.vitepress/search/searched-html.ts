import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

/** Headings of the API reference that name nothing of the API. */
const structure =
  /<h[4-6][^>]*>(?:Call Signature|Constructors?|Deprecated|Example|Extended by|Extends|Get Signature|Implementation of|Implements|Indexable|Inherited from|Methods|Overrides|Parameters|Properties|Returns|See|Set Signature|Throws|Type [Pp]arameters)\b/;

/** Renders a page for the index of the search. Of the API reference, only the names are searched: its texts are long. */
export function searchedHtml(source: string, env: MarkdownEnv, md: Pick<MarkdownRenderer, "render">): string {
  const html = md.render(source, env);
  if (!env.relativePath.startsWith("reference/api/")) return html;
  const headings = html.match(/<h([1-6])[^>]*>[^]*?<\/h\1>/g) ?? [];
  return headings.flatMap((heading) => (structure.test(heading) ? [] : [heading, " "])).join("");
}
