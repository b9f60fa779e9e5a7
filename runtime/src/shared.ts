// The modules that several entries need. The package contains them once, in a module that is not public: a program that
// imports two entries would have them twice, and a second timer for deadlines.
export * from "./collections/request-id-map.js";
export * from "./collections/swap-remove-set.js";
export * from "./connection/change.js";
export * from "./connection/error-reporting.js";
export * from "./http-server/hosted-server.js";
export * from "./http-server/principal-key.js";
export * from "./http-server/rejection.js";
export * from "./http-server/write-watch.js";
export * from "./http/tool-header-params.js";
export * from "./jsonrpc/error-conversion.js";
export * from "./jsonrpc/errors.js";
export * from "./jsonrpc/guards.js";
export * from "./jsonrpc/parse-json.js";
export * from "./jsonrpc/protocol-version-meta.js";
export * from "./jsonrpc/serialize.js";
export * from "./jsonrpc/url-elicitation.js";
export * from "./node/decode-utf8.js";
export * from "./options/assert-methods.js";
export * from "./options/assert-options.js";
export * from "./tasks/task-store-error.js";
export * from "./timing/deadline-timer.js";
export * from "./timing/is-promise-like.js";
export * from "./timing/mark-handled.js";
export * from "./timing/race-abort.js";
export * from "./timing/time-limits.js";
export * from "./timing/timer-delay.js";
