/** Which bucket, and how to get there. What is left out comes from the environment and the files of AWS, as everywhere. */
export interface S3Settings {
  readonly bucket: string
  /** The objects are those below it, `a/b` for `a/b/…`. Default: all of the bucket. */
  readonly prefix?: string
  /** Default: `AWS_REGION`, or that of the profile, or where the bucket says that it is. */
  readonly region?: string
  /** `http://127.0.0.1:9000`. Default: `AWS_ENDPOINT_URL_S3`, or that of the profile of `AWS_PROFILE`, or Amazon. */
  readonly endpoint?: string
  /** The bucket is in the path, not in the host. Default: where `endpoint` is set here, and is not Amazon. */
  readonly pathStyle?: boolean
  /** Asks without credentials, even where there are some. Default: false. */
  readonly anonymous?: boolean
  /** Of the files of AWS. Default: `AWS_PROFILE`. */
  readonly profile?: string
  /** Default: what the environment, the profile or the machine has. */
  readonly credentials?: S3Credentials
  /** Most connections. Default: 128, more than a place in a bucket has candidates. */
  readonly maxSockets?: number
  /** How long nothing may come, in milliseconds. Default: 30,000. */
  readonly idleMs?: number
  /** How often a request is sent before its failure is told. Default: 4. */
  readonly maxAttempts?: number
}

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}
