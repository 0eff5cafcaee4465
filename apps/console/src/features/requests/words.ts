import words from '../../words/en/requests.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ requests: words });
