import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const root = resolve(import.meta.dirname, "../../../..");

/** A project in a temporary folder, which finds the packages of this repository. */
export interface Project {
  readonly folder: string;
  /** Writes files by their path in the project. */
  readonly put: (files: Readonly<Record<string, string>>) => void;
}

export function project(files: Readonly<Record<string, string>>, { hasPackages = true } = {}): Project {
  const folder = temporaryFolder("dev-project");
  const put: Project["put"] = (all) => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  put({ "package.json": JSON.stringify({ type: "module" }), ...files });
  if (hasPackages) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return { folder, put };
}

/** The options of the compiler in the projects of `mcpwright new`. */
export const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    rootDir: "src",
  },
});

/** A server in two files. Its tool returns the text, and the id of its process. It uses an enum, so it needs more than type stripping. */
export const serverFiles: Readonly<Record<string, string>> = {
  "tsconfig.json": tsconfig,
  "src/main.ts": `
    import { McpServer } from "@mcpwright/runtime/server";
    import { serveStdio } from "@mcpwright/runtime/stdio";
    import { text } from "./text.js";
    enum Kind { Text = "text" }
    const server = new McpServer({ name: "dev-test", version: "1.0.0" });
    server.registerTool("text", {}, () => ({ content: [{ type: Kind.Text, text: text + " " + process.pid }] }));
    serveStdio(server);`,
  "src/text.ts": textFile("first"),
};

export function textFile(text: string): string {
  return `export const text: string = ${JSON.stringify(text)};\n`;
}
