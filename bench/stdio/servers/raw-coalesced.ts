import { echo } from "./echo.js";

let replies = "";
echo(
  (text) => (replies += text),
  () => {
    process.stdout.write(replies);
    replies = "";
  },
);
