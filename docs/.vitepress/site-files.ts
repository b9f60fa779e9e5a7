import { cpSync, createReadStream, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Plugin } from "vitepress";
import { docsFolder } from "./site-paths.js";

/** Files of `docs/` that the site serves as they are, because they are not pages. */
const served = /^(?!.*translations\.json$).*\.(?:html|json|txt)$/;
const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves and builds the files of `docs/` that pages link to, such as the reports of revisions. */
export function siteFiles(): Plugin {
  let outFolder = "";
  return {
    name: "mcpwright:site-files",
    configResolved({ build }) {
      outFolder = build.ssr === false ? build.outDir : "";
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = decodeURIComponent((request.url ?? "").replace(/[?#].*$/, ""));
        const file = join(docsFolder, path);
        if (!served.test(path) || path.startsWith("/.") || !file.startsWith(docsFolder) || !existsSync(file)) {
          next();
          return;
        }
        response.setHeader("content-type", mediaTypes[extname(file)] ?? "text/plain");
        createReadStream(file).pipe(response);
      });
    },
    closeBundle() {
      if (outFolder === "") return;
      for (const name of readdirSync(docsFolder, { recursive: true, encoding: "utf8" })) {
        if (!served.test(name) || name.startsWith(".")) continue;
        mkdirSync(dirname(join(outFolder, name)), { recursive: true });
        cpSync(join(docsFolder, name), join(outFolder, name));
      }
    },
  };
}
