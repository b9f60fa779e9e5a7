import type { McpServer } from "../../../runtime/src/server/core.js";
import { calculator } from "./calculator.js";
import { desk, openDesk } from "./desk.js";
import { library, openLibrary } from "./library.js";
import { bookings, forecasts, planner } from "./travel.js";
import type { ServerSetup } from "./setup.js";
import { openWorkshop, workshop } from "./workshop.js";

export type { ServerSetup } from "./setup.js";

/** The servers of the conversations, by name. */
export const servers = { bookings, calculator, desk, forecasts, library, planner, workshop };

export type ServerName = keyof typeof servers;

/** Creates a server. */
type Create = (setup: ServerSetup) => McpServer;

/** Functions that open an application with these servers, and return a function that creates the server of each of its nodes. */
export const applications: Readonly<Record<ServerName, () => Create>> = {
  bookings: () => bookings,
  calculator: () => calculator,
  desk: sharing(openDesk, desk),
  forecasts: () => forecasts,
  library: sharing(openLibrary, library),
  planner: () => planner,
  workshop: sharing(openWorkshop, workshop),
};

function sharing<State>(open: () => State, create: (setup: ServerSetup, state: State) => McpServer): () => Create {
  return () => {
    const state = open();
    return (setup) => create(setup, state);
  };
}
