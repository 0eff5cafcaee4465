import words from '../../words/en/partnerRules.json';
import { addWords } from '../../words/index.ts';

addWords({ partnerRules: words });
