/** The published package as tests import it: each entry of each revision, loaded by its public name. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Connection, Side } from "@mcpwright/protocol/contract";
import { revisions } from "@mcpwright/protocol";
import type { ExtensionModel } from "../../generator/shared/model/extension.js";
import type { ProtocolModel } from "../../generator/shared/model/protocol.js";

export interface RevisionEntry {
  readonly clientSide: Side;
  readonly serverSide: Side;
  readonly [name: string]: unknown;
}

/** A stub module: functions over a connection. */
export type StubEntry = Readonly<Record<string, (connection: Connection, ...rest: unknown[]) => unknown>>;

export interface PublishedRevision {
  readonly revision: string;
  readonly entry: RevisionEntry;
  readonly client: StubEntry;
  readonly server: StubEntry;
  /** `checkFoo` and `keepValidFoos`. */
  readonly issues: Readonly<Record<string, unknown>>;
  /** `FooSchema`. */
  readonly standardSchemas: Readonly<Record<string, unknown>>;
  readonly model: ProtocolModel;
}

/** Absolute path of a file in `generated/`. */
export function generatedPath(path: string): string {
  return fileURLToPath(new URL(`../../generated/${path}`, import.meta.url));
}

export function readGenerated(path: string): unknown {
  return JSON.parse(readFileSync(generatedPath(path), "utf8"));
}

async function load(revision: string): Promise<PublishedRevision> {
  const from = (entry: string): Promise<unknown> => {
    const name = `@mcpwright/protocol/${revision}${entry}`;
    return import(/* @vite-ignore */ name);
  };
  return {
    revision,
    entry: (await from("")) as RevisionEntry,
    client: (await from("/client")) as StubEntry,
    server: (await from("/server")) as StubEntry,
    issues: (await from("/issues")) as Readonly<Record<string, unknown>>,
    standardSchemas: (await from("/standard-schema")) as Readonly<Record<string, unknown>>,
    model: readGenerated(`${revision}/model.json`) as ProtocolModel,
  };
}

export const published: readonly PublishedRevision[] = await Promise.all(revisions.map(load));

export interface PublishedExtension {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly issues: Readonly<Record<string, unknown>>;
  readonly standardSchemas: Readonly<Record<string, unknown>>;
  readonly model: ExtensionModel;
}

async function loadExtension(name: string): Promise<PublishedExtension> {
  const from = async (entry: string): Promise<Readonly<Record<string, unknown>>> => {
    const specifier = `@mcpwright/protocol/extensions/${name}${entry}`;
    return (await import(/* @vite-ignore */ specifier)) as Readonly<Record<string, unknown>>;
  };
  return {
    name,
    entry: await from(""),
    issues: await from("/issues"),
    standardSchemas: await from("/standard-schema"),
    model: readGenerated(`extensions/${name}/model.json`) as ExtensionModel,
  };
}

const { extensions = [] } = readGenerated("manifest.json") as { readonly extensions?: readonly string[] };

export const publishedExtensions: readonly PublishedExtension[] = await Promise.all(extensions.map(loadExtension));

export function publishedRevision(revision: string): PublishedRevision {
  const found = published.find((candidate) => candidate.revision === revision);
  if (!found) throw new Error(`${revision} is not published`);
  return found;
}
