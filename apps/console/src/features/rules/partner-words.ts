import words from '../../words/en/partnerRules.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ partnerRules: words });
