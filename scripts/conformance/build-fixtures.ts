import { buildFixtures } from "./fixtures.js";

await buildFixtures();
