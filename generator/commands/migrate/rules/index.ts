import { callbackOptions } from "./callback-options.js";
import { clientCalls } from "./client-calls.js";
import { clientOptions } from "./client-options.js";
import { completions } from "./completions.js";
import { contextMembers } from "./context-members.js";
import { errorCodes } from "./error-codes.js";
import { fetchHandlers } from "./fetch-handlers.js";
import { frameworkApps } from "./framework-apps.js";
import { hiddenMembers } from "./hidden-members.js";
import { listChanges } from "./list-changes.js";
import { hostGuards } from "./host-guards.js";
import { lostMembers } from "./lost-members.js";
import { lostOptions } from "./lost-options.js";
import { oauthProviders } from "./oauth-providers.js";
import { outputRoots } from "./output-roots.js";
import { ownMethods } from "./own-methods.js";
import { ownTokens } from "./own-tokens.js";
import { parsedBodies } from "./parsed-bodies.js";
import { privateMembers } from "./private-members.js";
import { registeredUpdates } from "./registered-updates.js";
import { registerMethods } from "./register-methods.js";
import { requestHandlers } from "./request-handlers.js";
import { requestStates } from "./request-states.js";
import { resultTypes } from "./result-types.js";
import type { Rule } from "./rule.js";
import { serviceProviders } from "./service-providers.js";
import { serverFactories } from "./server-factories.js";
import { serverMessages } from "./server-messages.js";
import { sessionTransports } from "./session-transports.js";
import { smallFunctions } from "./small-functions.js";
import { versionNegotiation } from "./version-negotiation.js";
import { wrapShapes } from "./wrap-shapes.js";

/** All rules. Each pass runs them in this order; imports are rewritten after the last pass. */
export const rules: readonly Rule[] = [
  registerMethods,
  wrapShapes,
  outputRoots,
  completions,
  ownMethods,
  requestHandlers,
  sessionTransports,
  serverFactories,
  serverMessages,
  contextMembers,
  requestStates,
  registeredUpdates,
  callbackOptions,
  versionNegotiation,
  listChanges,
  clientOptions,
  clientCalls,
  oauthProviders,
  serviceProviders,
  lostOptions,
  privateMembers,
  hiddenMembers,
  lostMembers,
  errorCodes,
  resultTypes,
  frameworkApps,
  hostGuards,
  ownTokens,
  fetchHandlers,
  parsedBodies,
  smallFunctions,
];
