// FFmpeg's libraries as one Clang module. Only what Swift cannot import stands here:
// macros, and the few places where FFmpeg 5.1, 6 and 7 differ in spelling.
#ifndef ZOETROPE_CFFMPEG_SHIM_H
#define ZOETROPE_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <errno.h>

static inline int64_t zt_nopts(void) { return AV_NOPTS_VALUE; }
static inline int zt_averror(int e) { return AVERROR(e); }
static inline int zt_averror_eof(void) { return AVERROR_EOF; }
static inline int zt_averror_exit(void) { return AVERROR_EXIT; }
static inline int zt_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int zt_averror_eagain(void) { return AVERROR(EAGAIN); }
static inline int zt_averror_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int zt_averror_demuxer_not_found(void) { return AVERROR_DEMUXER_NOT_FOUND; }
static inline int zt_averror_protocol_not_found(void) { return AVERROR_PROTOCOL_NOT_FOUND; }
static inline int zt_averror_stream_not_found(void) { return AVERROR_STREAM_NOT_FOUND; }
static inline int zt_averror_patchwelcome(void) { return AVERROR_PATCHWELCOME; }

// Frame fields that moved: key_frame/pkt_duration (5.1) became flags/duration (6.0, 6.1).
static inline int zt_frame_is_key(const AVFrame *f) {
#ifdef AV_FRAME_FLAG_KEY
    return (f->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return f->key_frame;
#endif
}
static inline int64_t zt_frame_duration(const AVFrame *f) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return f->duration;
#else
    return f->pkt_duration;
#endif
}
static inline int zt_frame_is_interlaced(const AVFrame *f) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (f->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return f->interlaced_frame;
#endif
}

// Stream side data: av_stream_get_side_data (5, 6.0) moved to codecpar (6.1, 7).
static inline const uint8_t *zt_stream_side_data(const AVStream *st, enum AVPacketSideDataType type) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVPacketSideData *sd = av_packet_side_data_get(
        st->codecpar->coded_side_data, st->codecpar->nb_coded_side_data, type);
    return sd ? sd->data : 0;
#else
    return av_stream_get_side_data(st, type, 0);
#endif
}

// 0 when the rotation is unknown; degrees clockwise to turn the picture for display otherwise.
static inline double zt_stream_rotation(const AVStream *st) {
    const uint8_t *m = zt_stream_side_data(st, AV_PKT_DATA_DISPLAYMATRIX);
    if (!m) return 0;
    double r = av_display_rotation_get((const int32_t *)m);
    return r != r ? 0 : -r;
}

static inline void zt_quiet_logs(void) { av_log_set_level(AV_LOG_QUIET); }

#endif
