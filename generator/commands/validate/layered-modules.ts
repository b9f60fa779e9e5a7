import type { Extension, Needs, Side } from "@mcpwright/protocol/contract";
import type { Issue } from "@mcpwright/protocol/issues";
import type { ExtensionModel } from "../../shared/model/extension.js";
import type { ProtocolModel, RequestModel } from "../../shared/model/protocol.js";
import type { Checks, RevisionModules } from "./revision-facts.js";

/** The generated modules of an extension. */
export interface ExtensionModules {
  readonly extension: Extension;
  readonly checks: Checks;
  readonly model: ExtensionModel;
}

/** Adds the messages of an extension to those of the revision. @throws Error when two extensions have the same message */
export function layered(revision: RevisionModules, { extension, checks, model }: ExtensionModules): RevisionModules {
  // A record does not show with which settings the sides were created.
  const anySettings = { settings: (_value: unknown): _value is object => true };
  const lenient = {
    ...extension,
    client: { ...extension.client, ...anySettings },
    server: { ...extension.server, ...anySettings },
  } as Extension;
  const over = (side: Side): Side => {
    const [result = side] = lenient.layerOver([side], (problem) => new Error(problem));
    return result;
  };
  return {
    sides: { serverSide: over(revision.sides.serverSide), clientSide: over(revision.sides.clientSide) },
    checks: { ...revision.checks, ...checks, ...commonParams(revision.checks, checks, model) },
    model: withMessages(revision.model, model),
    extensions: [...revision.extensions, model],
  };
}

/** The capabilities that a row of an extension needs: both sides must declare it. */
export function capabilitiesOf({ capability, extension }: Needs): readonly string[] {
  if (extension !== undefined) return bothSides(extension);
  return capability === null ? [] : [capability];
}

export function bothSides(extension: string): readonly string[] {
  return [`client.extensions.${extension}`, `server.extensions.${extension}`];
}

/** The path of a capability as names. The id of an extension contains dots. */
export function namesOf(capability: string): readonly string[] {
  const [, side, id] = /^(client|server)\.extensions\.(.+)$/.exec(capability) ?? [];
  return side !== undefined && id !== undefined ? [side, "extensions", id] : capability.split(".");
}

/** The params of an extension must also fit a type of the revision, if its overlay states one. */
function commonParams(
  known: Checks,
  own: Checks,
  { commonParams: common, requests, notifications }: ExtensionModel,
): Checks {
  const joined = (messages: readonly { readonly params?: string }[], type: string | undefined) =>
    messages.flatMap(({ params }): [string, Checks[string]][] => {
      const [first, second] = [known[`check${type}`], own[`check${params}`] ?? known[`check${params}`]];
      return first && second && params !== undefined
        ? [[`check${params}`, (value) => distinct([...first(value), ...second(value)])]]
        : [];
    });
  return Object.fromEntries([...joined(requests, common.request), ...joined(notifications, common.notification)]);
}

function distinct(issues: readonly Issue[]): readonly Issue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.expected]), issue])).values()];
}

function withMessages(base: ProtocolModel, { definitions, requests, notifications, results }: ExtensionModel) {
  const { resultTag } = base;
  const added = (request: RequestModel): RequestModel => {
    const tags = results.flatMap(({ method, tag }) => (method === request.method ? [tag] : []));
    const { result } = request;
    if (tags.length === 0 || request.sender !== "client" || result.kind === "presence") return request;
    const alternatives = [...(result.kind === "tagged" ? result.alternatives : []), ...tags];
    return { ...request, result: { kind: "tagged", type: result.type, alternatives } };
  };
  const alternatives = results.map(({ tag, type, atLeastOneOf }) => ({ value: tag, type, atLeastOneOf }));
  return {
    ...base,
    definitions: [...base.definitions, ...definitions],
    requests: [...base.requests.map(added), ...requests],
    notifications: [...base.notifications, ...notifications],
    ...(resultTag && { resultTag: { ...resultTag, alternatives: [...resultTag.alternatives, ...alternatives] } }),
  };
}
