import { coalescedEcho } from "./echo.js";

coalescedEcho();
