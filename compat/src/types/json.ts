/** Any JSON value. */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;
export interface JSONObject {
  [key: string]: JSONValue;
}
export type JSONArray = JSONValue[];

/** The members of an intersection as one object: only so can they have other types than the index signature. */
type Members<T> = { [Key in keyof T]: T[Key] };

/** The capability of 2.x to answer requests for input. */
export type ElicitationCapability = Members<
  {
    form?: Members<{ applyDefaults?: boolean | undefined } & JSONObject> | undefined;
    url?: JSONObject | undefined;
  } & JSONObject
>;

/** The capability of 1.x to answer requests for input. */
export interface LooseElicitationCapability {
  [key: string]: unknown;
  form?: { [key: string]: unknown; applyDefaults?: boolean | undefined } | undefined;
  url?: object | undefined;
}
