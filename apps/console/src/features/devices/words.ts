import words from '../../words/en/devices.json';
import { addWords } from '../../words/index.ts';

addWords({ devices: words });
