import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Device, deviceQuery } from './queries.ts';

const route = getRouteApi('/devices/$deviceId');

/** The device of the address; the screen around the tabs has read it. */
export function useDevice(): Device {
  const { deviceId } = route.useParams();
  return useSuspenseQuery(deviceQuery(deviceId)).data;
}
