import words from '../../words/en/signOn.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ signOn: words });
