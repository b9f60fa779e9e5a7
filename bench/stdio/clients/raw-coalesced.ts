import { rawClient } from "./raw-client.js";

let requests = "";
rawClient(
  (text) => (requests += text),
  (to) => {
    to.write(requests);
    requests = "";
  },
);
