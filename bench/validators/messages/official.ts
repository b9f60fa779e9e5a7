import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Example {
  readonly definition: string;
  readonly text: string;
}

const folder = new URL("../../../../shared/official/schema/2026-07-28/examples/", import.meta.url);

/** The official examples of revision 2026-07-28; empty when the official files are not available. */
export function officialExamples(): readonly Example[] {
  if (!existsSync(folder)) return [];
  return readdirSync(fileURLToPath(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const files = readdirSync(new URL(`${name}/`, folder)).filter((file) => file.endsWith(".json"));
      return files.map((file) => ({ definition: name, text: minified(new URL(`${name}/${file}`, folder)) }));
    });
}

/** The text as it is sent. */
function minified(file: URL): string {
  return JSON.stringify(JSON.parse(readFileSync(file, "utf8")));
}
