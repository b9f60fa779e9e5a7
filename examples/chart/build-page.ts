import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = new URL("page/", import.meta.url);

/** The HTML of the app, with its script inside: hosts let a page load nothing that it does not declare. */
export async function chartPage(): Promise<string> {
  const [{ outputFiles }, html] = await Promise.all([
    build({
      entryPoints: [fileURLToPath(new URL("chart.ts", folder))],
      bundle: true,
      format: "esm",
      minify: true,
      target: "es2022",
      write: false,
    }),
    readFile(new URL("chart.html", folder), "utf8"),
  ]);
  const script = outputFiles.map(({ text }) => text.replaceAll("</script", "<\\/script")).join("");
  // A function, because `$` has a meaning in a replacement.
  return html.replace(/<script>[^]*<\/script>/, () => `<script type="module">${script}</script>`);
}
