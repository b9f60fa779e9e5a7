import { echo } from "./echo.js";

echo(
  (text) => process.stdout.write(text),
  () => undefined,
);
