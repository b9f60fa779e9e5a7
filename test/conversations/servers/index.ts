import { calculator } from "./calculator.js";
import { desk } from "./desk.js";
import { library } from "./library.js";
import { bookings, forecasts, planner } from "./travel.js";
import { workshop } from "./workshop.js";

export type { ServerSetup } from "./setup.js";

/** The servers of the conversations, by name. */
export const servers = { bookings, calculator, desk, forecasts, library, planner, workshop };

export type ServerName = keyof typeof servers;
