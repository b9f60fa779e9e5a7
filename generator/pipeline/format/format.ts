/**
 * FORMAT: prettier with the options written here, so that no configuration around the generator applies. Its babel
 * parser reads our code as its typescript parser does, in half the time.
 */
export async function format(path: string, text: string): Promise<string> {
  const parser = parserOf(path);
  if (!parser) return text;
  const { format: prettier } = await import("prettier");
  return prettier(text, { parser, printWidth: 120, endOfLine: "lf" });
}

function parserOf(path: string): "babel-ts" | "json" | "markdown" | undefined {
  if (/\.[jt]s$/.test(path)) return "babel-ts";
  if (/(?:package|tsconfig|operations)\.json$/.test(path)) return "json";
  return path.endsWith(".md") ? "markdown" : undefined;
}
