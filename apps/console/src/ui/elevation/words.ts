import elevation from '../../words/en/elevation.json' with { type: 'json' };
import freezes from '../../words/en/freezes.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ elevation, freezes });
