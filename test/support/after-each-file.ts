/** Runs in every test file. */
import { afterAll } from "vitest";
import { removeTemporaryFolders } from "./temporary-folder.js";

afterAll(removeTemporaryFolders);
