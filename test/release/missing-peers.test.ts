/** Programs that need an optional peer fail with an error that names it, and the documents say what to install. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { root } from "../support/typecheck.js";

const peers: Readonly<Record<string, readonly string[]>> = {
  "@mcpwright/runtime/auth": ["oauth4webapi", "jose"],
  "@mcpwright/runtime/auth/node": ["oauth4webapi", "jose"],
  "@mcpwright/runtime/auth/server": ["oauth4webapi", "jose"],
  "@mcpwright/runtime/auth/proxy": ["oauth4webapi", "jose", "oidc-provider"],
  "@mcpwright/runtime/json-schema": ["ajv"],
};

/** Installs the packages without their optional peers. */
function install(): string {
  const folder = temporaryFolder("peers");
  for (const name of ["runtime", "protocol"]) {
    const [from, to] = [
      join(root, name === "runtime" ? name : "generated"),
      join(folder, "node_modules/@mcpwright", name),
    ];
    mkdirSync(to, { recursive: true });
    cpSync(join(from, "package.json"), join(to, "package.json"));
    cpSync(join(from, "dist"), join(to, "dist"), { recursive: true, filter: (path) => !path.endsWith(".d.ts") });
  }
  return folder;
}

test.each(Object.entries(peers))("%s names the peer that is missing", async (entry, names) => {
  const program = ["--input-type=module", "-e", `await import(${JSON.stringify(entry)})`];
  const failure = (await promisify(execFile)(process.execPath, program, { cwd: install() }).catch(
    (error: unknown) => error,
  )) as { readonly stderr: string };
  const found = /Cannot find package '([^']+)'/.exec(failure.stderr)?.[1];
  expect(names).toContain(found);
  const troubleshooting = readFileSync(join(root, "docs/guide/troubleshooting.md"), "utf8");
  for (const name of names)
    expect(troubleshooting).toMatch(
      new RegExp(`^\\| .*\`Cannot find package '${name}'\`.*\`npm install .*${name}`, "m"),
    );
});
