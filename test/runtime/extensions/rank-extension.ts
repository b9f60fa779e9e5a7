/** An extension written by hand, in the form that the generator gives extensions. */
import { CONTRACT, type Extension } from "@mcpwright/protocol/contract";
import { layerExtension } from "@mcpwright/protocol/layer-extension";
import { R4, R5 } from "../connection/connection-ends.js";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface RankParams {
  query: string;
}

export interface RankResult {
  resultType?: string;
  order: string[];
}

/** The result of `tools/call` that ranks, instead of calling, the tool. */
export interface RankedResult {
  resultType: "ranked";
  place: number;
}

export interface RankTypes {
  clientRequests: { "tools/rank": { params: RankParams; result: RankResult } };
  clientNotifications: { "notifications/rank/used": { query: string } };
  serverRequests: { "rank/preferences": { params: object; result: { favourite: string } } };
  serverNotifications: { "notifications/rank": { query: string } };
  alternatives: { "tools/call": RankedResult };
  clientSettings: { locale?: string };
  serverSettings: { maxItems?: number };
}

export const rankId = "com.example/rank";

const isRankParams = (value: unknown): boolean => isObject(value) && typeof value["query"] === "string";
const isRankResult = (value: unknown): boolean => isObject(value) && Array.isArray(value["order"]);
const isPreferences = (value: unknown): boolean => isObject(value) && typeof value["favourite"] === "string";
const own = { capability: null, extension: rankId };

export const rankExtension: Extension<RankTypes> = {
  contract: CONTRACT,
  id: rankId,
  revisions: [R5, R4],
  server: {
    receives: {
      requests: { "tools/rank": { ...own, params: isRankParams, paramsOptional: false, routedBy: "query" } },
      notifications: { "notifications/rank/used": { ...own, params: isRankParams, paramsOptional: false } },
      results: { "rank/preferences": { ...own, result: isPreferences } },
    },
    sends: { notifications: { "notifications/rank": { ...own, params: isRankParams, paramsOptional: false } } },
    settings: (value) => isObject(value) && ["number", "undefined"].includes(typeof value["maxItems"]),
  },
  client: {
    receives: {
      requests: { "rank/preferences": { ...own, params: isObject, paramsOptional: true, answer: isPreferences } },
      notifications: { "notifications/rank": { ...own, params: isRankParams, paramsOptional: false } },
      results: { "tools/rank": { ...own, result: isRankResult, routedBy: "query" } },
    },
    sends: { notifications: { "notifications/rank/used": { ...own, params: isRankParams, paramsOptional: false } } },
    settings: (value) => isObject(value) && ["string", "undefined"].includes(typeof value["locale"]),
  },
  alternatives: {
    "tools/call": {
      ranked: { result: (value) => isObject(value) && typeof value["place"] === "number", atLeastOneOf: [] },
    },
  },
  filters: {
    rankQueries: {
      method: "subscriptions/listen",
      within: "notifications",
      accepts: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
      notification: "notifications/rank",
      key: "query",
    },
  },
  layerOver: layerExtension,
};
