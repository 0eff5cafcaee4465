import { Enums, Models, Serialize, Spec, SPDX } from '@cyclonedx/cyclonedx-library';

// A program's packages as a CycloneDX document. It holds no time and no random number: two builds write the same bytes.

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licenseOf = (license) =>
  SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.NamedLicense(license);

/** `sha512-<base64>` of the lockfile. */
function hashesOf(integrity = '') {
  const [, base64] = /^sha512-(\S+)/.exec(integrity) ?? [];
  return new Models.HashDictionary(
    base64 ? [[Enums.HashAlgorithm['SHA-512'], Buffer.from(base64, 'base64').toString('hex')]] : [],
  );
}

function componentOf(found) {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(found.name);
  return new Models.Component(Enums.ComponentType.Library, name, {
    group,
    version: found.version,
    purl: purlOf(found),
    // Two copies of one version may lie at different places.
    bomRef: found.directory,
    licenses: new Models.LicenseRepository(found.license ? [licenseOf(found.license)] : []),
    hashes: hashesOf(found.integrity),
  });
}

/**
 * @param subject name and version of what is described, and the image that it is put on, if known
 * @param packages as `Packages.list` returns them
 */
export function sbomOf({ name, version, base }, packages) {
  const components = new Map(packages.map((found) => [found.directory, componentOf(found)]));
  const refOf = (directory) => components.get(directory).bomRef;
  for (const { directory, imports } of packages)
    for (const imported of imports) components.get(directory).dependencies.add(refOf(imported));
  const subject = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: name,
    dependencies: new Models.BomRefRepository(
      packages.filter(({ isRoot }) => isRoot).map(({ directory }) => refOf(directory)),
    ),
  });
  const image = base ? [new Models.Component(Enums.ComponentType.Container, base, { bomRef: base })] : [];
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: subject }),
    components: new Models.ComponentRepository([...components.values(), ...image]),
  });
  const json = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(json).serialize(bom, { sortLists: true, space: 1 });
}
