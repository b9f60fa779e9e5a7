import {
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_PROMPTS_LIST_CHANGED,
  NOTIFICATIONS_RESOURCES_LIST_CHANGED,
  NOTIFICATIONS_RESOURCES_UPDATED,
  NOTIFICATIONS_TOOLS_LIST_CHANGED,
} from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import { type JsonObject, objectAt } from "./json-messages.js";

/** A feature with a list that an edit can change. */
interface ListFeature {
  /** Its capability. */
  readonly capability: string;
  /** Its member in the filter of a subscription stream. */
  readonly filter: string;
  readonly method: string;
}

const listFeatures: readonly ListFeature[] = [
  { capability: "tools", filter: "toolsListChanged", method: NOTIFICATIONS_TOOLS_LIST_CHANGED },
  { capability: "prompts", filter: "promptsListChanged", method: NOTIFICATIONS_PROMPTS_LIST_CHANGED },
  { capability: "resources", filter: "resourcesListChanged", method: NOTIFICATIONS_RESOURCES_LIST_CHANGED },
];

/**
 * The result of `initialize` or `server/discover` as the host gets it: the features that the server has say that their lists can change,
 * because the relay notifies the host after each restart.
 */
export function claimListChanges(result: JsonObject): JsonObject {
  const capabilities = result["capabilities"];
  if (!isObject(capabilities)) return result;
  const claimed: Record<string, unknown> = { ...capabilities };
  for (const { capability } of listFeatures) {
    const stated = capabilities[capability];
    if (isObject(stated)) claimed[capability] = { ...stated, listChanged: true };
  }
  return { ...result, capabilities: claimed };
}

/** The filter of an acknowledged stream as the host gets it: what it asked for and the relay notifies it of is granted, too. */
export function grantListChanges(granted: JsonObject, requested: JsonObject, capabilities?: JsonObject): JsonObject {
  const extended: Record<string, unknown> = { ...granted };
  for (const { capability, filter } of listFeatures) {
    if (requested[filter] === true && (!capabilities || capability in capabilities)) extended[filter] = true;
  }
  return extended;
}

/** The notifications of a handshake-era session after a restart. @param known the capabilities that the host knows */
export function sessionChanges(
  known: JsonObject,
  current: JsonObject,
  resources: Iterable<string>,
): readonly JsonObject[] {
  const changed = listFeatures.filter(({ capability }) => capability in known && capability in current);
  return [...changed.map(({ method }) => notification(method)), ...[...resources].map((uri) => updated({ uri }))];
}

/** The notifications of a subscription stream after a restart. @param filter what the stream was granted */
export function streamChanges(id: string | number, filter: JsonObject): readonly JsonObject[] {
  const params = { _meta: { [META_SUBSCRIPTION_ID]: id } };
  const changed = listFeatures.filter((one) => filter[one.filter] === true);
  const resources = filter["resourceSubscriptions"];
  const uris = Array.isArray(resources) ? (resources as readonly unknown[]) : [];
  return [
    ...changed.map(({ method }) => notification(method, params)),
    ...uris.map((uri) => updated({ ...params, uri })),
  ];
}

/**
 * What a host must reconnect for after an edit, because it learned the capabilities when it connected: `prompts are new; completions are gone`.
 * @returns undefined if nothing was added or removed
 */
export function capabilityChanges(known: JsonObject, current: JsonObject): string | undefined {
  const added = Object.keys(current).filter((name) => !(name in known));
  const removed = Object.keys(known).filter((name) => !(name in current));
  const parts = [
    ...(added.length > 0 ? [`new: ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`gone: ${removed.join(", ")}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** The capabilities in a result of `initialize` or `server/discover`. */
export function capabilitiesOf(result: unknown): JsonObject {
  return objectAt(result, "capabilities");
}

function notification(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: "2.0", method, ...(params && { params }) };
}

function updated(params: JsonObject): JsonObject {
  return notification(NOTIFICATIONS_RESOURCES_UPDATED, params);
}
