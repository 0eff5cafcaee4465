export { foldEmail } from '@gatehouse/identity-domain';
