import { rawClient } from "./raw-client.js";

rawClient(
  (text, to) => to.write(text),
  () => undefined,
);
