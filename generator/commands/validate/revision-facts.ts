import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Profile, Receives, Side } from "@mcpwright/protocol/contract";
import type { Issue } from "@mcpwright/protocol/issues";
import type { NotificationModel, ProtocolModel, RequestModel, Side as SideName } from "../../shared/model/protocol.js";
import type { ExtensionModel } from "../../shared/model/extension.js";
import { packageRoot } from "../../shared/package-root.js";

/** The facts of a revision: generated rows and checks, and the model for links. */
export interface RevisionFacts {
  readonly revision: string;
  readonly profile: Profile;
  readonly model: ProtocolModel;
  /** Rows by the receiving side. */
  readonly receives: Readonly<Record<SideName, Receives>>;
  readonly request: (sender: SideName, method: string) => RequestModel | undefined;
  readonly notification: (sender: SideName, method: string) => NotificationModel | undefined;
  /** The ids of the extensions that are layered over the revision. */
  readonly extensions: readonly string[];
  /** The id of the extension that adds a result with this tag to a method. */
  readonly addedBy: (method: string, tag: unknown) => string | undefined;
  /** Returns the issues of a value of a schema type. */
  readonly check: (type: string, value: unknown) => readonly Issue[];
  /** The section about a definition, a profile field or a capability. */
  readonly link: (kind: "definition" | "profile" | "capability", name: string) => string;
}

/** The generated modules of a revision. */
export interface RevisionModules {
  readonly sides: { readonly serverSide: Side; readonly clientSide: Side };
  readonly checks: Checks;
  readonly model: ProtocolModel;
  readonly extensions: readonly ExtensionModel[];
}

export type Checks = Readonly<Record<string, ((value: unknown) => readonly Issue[]) | undefined>>;

/** @param revision a published revision */
export async function loadRevisionFacts(revision: string): Promise<RevisionFacts> {
  return factsFrom(await loadRevisionModules(revision));
}

/** @param revision a published revision */
export async function loadRevisionModules(revision: string): Promise<RevisionModules> {
  const ofRevision = `@mcpwright/protocol/${revision}`;
  const issues = `${ofRevision}/issues`;
  const [sides, checks, text] = await Promise.all([
    import(ofRevision) as Promise<{ readonly serverSide: Side; readonly clientSide: Side }>,
    import(issues) as Promise<Checks>,
    readFile(join(packageRoot().folder, "generated", revision, "model.json"), "utf8"),
  ]);
  return { sides, checks, model: JSON.parse(text) as ProtocolModel, extensions: [] };
}

export function factsFrom({ sides, checks, model, extensions }: RevisionModules): RevisionFacts {
  const requests = new Map(model.requests.map((row) => [`${row.sender} ${row.method}`, row]));
  const notifications = new Map(model.notifications.map((row) => [`${row.sender} ${row.method}`, row]));
  const links = new Map<string, string | undefined>([
    ...model.definitions.map(({ name, link }) => [`definition ${name}`, link] as const),
    ...model.profile.map(({ field, link }) => [`profile ${field}`, link] as const),
    ...(["client", "server"] as const).flatMap((side) =>
      model.capabilities[side].map(({ path, link }) => [`capability ${side}.${path}`, link] as const),
    ),
  ]);
  return {
    revision: model.revision,
    model,
    profile: sides.serverSide.profile,
    receives: { server: sides.serverSide.receives, client: sides.clientSide.receives },
    request: (sender, method) => requests.get(`${sender} ${method}`),
    notification: (sender, method) => notifications.get(`${sender} ${method}`),
    extensions: extensions.map(({ extension }) => extension),
    addedBy: (method, tag) =>
      extensions.find(({ results }) => results.some((added) => added.method === method && added.tag === tag))
        ?.extension,
    check: (type, value) => checks[`check${type}`]?.(value) ?? [],
    link: (kind, name) => links.get(`${kind} ${name}`) ?? model.specification,
  };
}
