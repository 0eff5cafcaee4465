#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { toolProgram } from '../../programs.mjs';

await import(pathToFileURL(await toolProgram('cli')).href);
