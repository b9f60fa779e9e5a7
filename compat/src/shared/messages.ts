// The messages as programs for the official SDK name them.
export type * from "../types/core-messages.js";
export type * from "../types/input-requests.js";
export type * from "../types/message-info.js";
export type * from "../types/method-maps.js";
export type { MetaObject as Meta } from "../types/message-info.js";
