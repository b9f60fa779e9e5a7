import { existsSync } from "node:fs";
import { join } from "node:path";

/** Which folders of a top folder may import which of their neighbours. */
export interface Borders {
  /** The top folder, from the root of the repository. */
  readonly root: string;
  /** A listed folder imports itself, what is listed for it, and nothing else of `root`. Folders that are not listed are free. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/** The direction of imports that ARCHITECTURE.md describes. Files directly in `root` import from any folder. */
export const borders: readonly Borders[] = [
  {
    root: "generator",
    folders: {
      cli: ["commands", "pipeline", "shared"],
      commands: ["pipeline", "shared"],
      pipeline: ["shared"],
      shared: [],
    },
  },
  {
    root: "runtime/src",
    folders: {
      jsonrpc: [],
      transport: ["jsonrpc"],
      connection: ["transport", "jsonrpc", "rules"],
      server: ["connection", "transport", "jsonrpc", "rules", "schema", "uri-template"],
      client: ["connection", "transport", "jsonrpc", "rules", "schema", "uri-template"],
    },
  },
];

/** Listed folders that do not exist, and whose entries therefore check nothing. */
export function missingFolders(repository: string, all: readonly Borders[]): readonly string[] {
  return all
    .flatMap(({ root, folders }) =>
      Object.entries(folders).flatMap(([from, to]) => [from, ...to].map((name) => `${root}/${name}`)),
    )
    .filter((path, index, paths) => paths.indexOf(path) === index && !existsSync(join(repository, path)));
}
