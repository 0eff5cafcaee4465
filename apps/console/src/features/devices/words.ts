import words from '../../words/en/devices.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ devices: words });
