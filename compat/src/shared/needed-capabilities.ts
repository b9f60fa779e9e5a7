import type { ClientCapabilities, ServerCapabilities } from "../types/index.js";

type Feature = keyof ServerCapabilities;
/** Which features a peer has declared, in either version of the types. */
type Declared<Capabilities> = { readonly [Name in keyof Capabilities]?: unknown };

/** The features that methods of the server belong to, with the words of the error. */
const features: readonly (readonly [prefix: string, feature: Feature, words: string])[] = [
  ["completion/", "completions", "completions"],
  ["logging/", "logging", "logging"],
  ["prompts/", "prompts", "prompts"],
  ["resources/", "resources", "resources"],
  ["tools/", "tools", "tools"],
  ["notifications/message", "logging", "logging"],
  ["notifications/resources/", "resources", "notifying about resources"],
  ["notifications/tools/", "tools", "notifying of tool list changes"],
  ["notifications/prompts/", "prompts", "notifying of prompt list changes"],
];

/** The capabilities of clients that requests of servers need, with the words of the error. */
const neededOfClients: Readonly<Record<string, readonly [capability: keyof ClientCapabilities, words: string]>> = {
  "sampling/createMessage": ["sampling", "sampling"],
  "elicitation/create": ["elicitation", "elicitation"],
  "roots/list": ["roots", "listing roots"],
};

/** Returns the problem with a method whose feature the server has not declared. */
export function missingServerCapability(
  declared: Declared<ServerCapabilities> | undefined,
  method: string,
): string | undefined {
  const found = features.find(([prefix]) => method.startsWith(prefix));
  return found && !declared?.[found[1]] ? `Server does not support ${found[2]} (required for ${method})` : undefined;
}

/** Returns the problem with a request of a server whose capability the client has not declared. */
export function missingClientCapability(
  declared: Declared<ClientCapabilities> | undefined,
  method: string,
): string | undefined {
  const needed = neededOfClients[method];
  return needed && !declared?.[needed[0]] ? `Client does not support ${needed[1]} (required for ${method})` : undefined;
}

/** The capability of clients that a request needs, if any. */
export function clientCapabilityOf(method: string): keyof ClientCapabilities | undefined {
  return neededOfClients[method]?.[0];
}

/** Returns the problem with the handler of a client for a request whose capability the client has not declared. */
export function missingHandlerCapability(declared: Declared<ClientCapabilities>, method: string): string | undefined {
  const capability = clientCapabilityOf(method);
  return capability && !declared[capability]
    ? `Client does not support ${capability} capability (required for ${method})`
    : undefined;
}

/** Returns the capabilities of a client as the official SDK describes them: elicitation without a mode means forms. */
export function withFormElicitation<Capabilities extends { readonly elicitation?: object | undefined }>(
  declared: Capabilities | undefined,
): Capabilities | undefined {
  const { elicitation } = declared ?? {};
  return elicitation && Object.keys(elicitation).length === 0
    ? ({ ...declared, elicitation: { form: {} } } as unknown as Capabilities)
    : declared;
}
