import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { root, strictest, typecheck } from "../../../support/typecheck.js";

const folder = join(root, "test/generator/commands/bind");
const options = { ...strictest, types: ["node"], skipLibCheck: true };

/** What the compiler says about a client and a program that uses it, at its strictest; nothing when it is content. */
export function compileErrors(client: string, use = ""): readonly string[] {
  const texts = {
    [join(folder, "client.ts")]: client,
    [join(folder, "use.ts")]: `import { Client } from "@mcpwright/runtime/client";
import * as bound from "./client.js";
declare const client: Client;
void client, bound;
${use}`,
  };
  return typecheck([], options, texts).errors;
}

/** The same for many clients at once. */
export function compileErrorsOfAll(clients: readonly string[]): readonly string[] {
  const texts = clients.map((client, index) => [join(folder, `client${index}.ts`), client] as const);
  return typecheck([], options, Object.fromEntries(texts)).errors;
}

/** Loads a client as a program would, for as long as the test lasts; types are erased, as Node itself does it. */
export async function load(client: string): Promise<Readonly<Record<string, unknown>>> {
  const place = temporaryFolder("bound");
  mkdirSync(join(place, "node_modules"));
  symlinkSync(join(root, "node_modules/@mcpwright"), join(place, "node_modules/@mcpwright"));
  const path = join(place, "client.mjs");
  writeFileSync(path, transformSync(client, { loader: "ts", format: "esm" }).code);
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>;
}
