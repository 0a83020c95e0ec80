import { ownS3 } from '../support/s3/own.ts'
import { KEY, REGION, SECRET } from '../support/s3/server.ts'
import { s3Contract } from './s3.contract.ts'

const s3 = ownS3()

s3Contract('S3 in process', async () => ({ url: (await s3()).url, region: REGION, key: KEY, secret: SECRET }))
