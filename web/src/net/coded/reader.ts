// The code that coded frames need beyond whole ones. In a file of its own, so that the first view does not wait for it.
export { CrowdDecoder } from './crowd_decoder';
export { write_frame } from '../frame_writer';
