/** A text in which `▸` marks a place: the text without the mark, and the place as `line:column`. */
export function marked(source: string): { readonly text: string; readonly place: string } {
  const [before = "", after] = source.split("▸");
  if (after === undefined) throw new Error(`no mark in ${source}`);
  const lines = before.replace(/^\uFEFF/, "").split("\n");
  return { text: before + after, place: `${lines.length}:${(lines.at(-1) ?? "").length + 1}` };
}
