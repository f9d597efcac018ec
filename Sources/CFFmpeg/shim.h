// FFmpeg's libraries as one Clang module. This header adds macros as functions, because Swift cannot import them,
// functions that hide the differences between FFmpeg 5.1, 6 and 7, functions that are easier to write in C, and a
// loader of libavfilter. It uses no function that FFmpeg 8 removes.
#ifndef ZOETROPE_CFFMPEG_SHIM_H
#define ZOETROPE_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(59, 37, 100)
#error "Zoetrope needs FFmpeg 5.1 or later. Install its development packages: libavcodec-dev on Debian and Ubuntu, ffmpeg-free-devel on Fedora."
#endif

static inline int64_t zt_nopts(void) { return AV_NOPTS_VALUE; }
static inline int zt_averror(int e) { return AVERROR(e); }
static inline int zt_averror_eof(void) { return AVERROR_EOF; }
static inline int zt_averror_exit(void) { return AVERROR_EXIT; }
static inline int zt_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int zt_averror_eagain(void) { return AVERROR(EAGAIN); }
static inline int zt_averror_demuxer_not_found(void) { return AVERROR_DEMUXER_NOT_FOUND; }
static inline int zt_averror_protocol_not_found(void) { return AVERROR_PROTOCOL_NOT_FOUND; }

// Frame fields that were replaced: key_frame and pkt_duration (5.1) became flags and duration (6.0, 6.1).
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
// Sets the planes of a frame to its first buffer, because C arrays are awkward in Swift.
static inline int zt_frame_fill(AVFrame *f, int alignment) {
    return av_image_fill_arrays(f->data, f->linesize, f->buf[0]->data, (enum AVPixelFormat)f->format, f->width, f->height, alignment);
}
// Frees the memory of zt_buffer_mapped.
static inline void zt_unmap_buffer(void *size, uint8_t *data) { munmap(data, (size_t)size); }
// Creates a buffer in its own memory pages. Returns NULL if there is not enough memory.
static inline AVBufferRef *zt_buffer_mapped(size_t size) {
    void *data = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return 0;
    AVBufferRef *buffer = av_buffer_create(data, size, zt_unmap_buffer, (void *)size, 0);
    if (!buffer) munmap(data, size);
    return buffer;
}
// Makes the luma plane of `alpha` the alpha plane of `picture`, which takes its own reference, so that nothing is
// copied. `format` is the format of `picture` with alpha as the fourth plane. Returns 0 on failure.
static inline int zt_frame_join_alpha(AVFrame *picture, AVFrame *alpha, int format) {
    int free = 0;
    while (free < AV_NUM_DATA_POINTERS && picture->buf[free]) free++;
    AVBufferRef *plane = av_frame_get_plane_buffer(alpha, 0);
    if (free == AV_NUM_DATA_POINTERS || !plane || !alpha->data[0] || alpha->linesize[0] <= 0) return 0;
    if (!(picture->buf[free] = av_buffer_ref(plane))) return 0;
    picture->data[3] = alpha->data[0];
    picture->linesize[3] = alpha->linesize[0];
    picture->format = format;
    return 1;
}

// The planes of a frame in memory that a graphics device shares by file descriptors (dmabuf). `fourcc` is DRM's name of
// the format.
typedef struct {
    uint32_t fourcc;
    uint64_t modifier;
    int count;
    int files[4];
    unsigned offsets[4], strides[4];
} zt_dmabuf;
#define ZT_FOURCC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
// Describes a frame in AV_PIX_FMT_DRM_PRIME, whose pixels are in `format`. Returns 0 if one DRM format cannot describe
// the planes.
static inline int zt_frame_dmabuf(const AVFrame *f, int format, zt_dmabuf *out) {
    const AVDRMFrameDescriptor *d = f->format == AV_PIX_FMT_DRM_PRIME ? (const AVDRMFrameDescriptor *)f->data[0] : 0;
    memset(out, 0, sizeof *out);
    if (!d || d->nb_layers < 1 || d->nb_layers > AV_DRM_MAX_PLANES) return 0;
    for (int l = 0; l < d->nb_layers; l++) {
        for (int p = 0; p < d->layers[l].nb_planes; p++) {
            const AVDRMPlaneDescriptor *plane = &d->layers[l].planes[p];
            if (out->count == 4 || plane->object_index < 0 || plane->object_index >= d->nb_objects || plane->pitch <= 0 || plane->offset < 0) return 0;
            const AVDRMObjectDescriptor *object = &d->objects[plane->object_index];
            if (out->count > 0 && object->format_modifier != out->modifier) return 0;
            out->modifier = object->format_modifier;
            out->files[out->count] = object->fd;
            out->offsets[out->count] = (unsigned)plane->offset;
            out->strides[out->count++] = (unsigned)plane->pitch;
        }
    }
    // VAAPI exports each plane as a separate layer with its own format.
    if (d->nb_layers == 1) out->fourcc = d->layers[0].format;
    else if (d->nb_layers == 2 && format == AV_PIX_FMT_NV12) out->fourcc = ZT_FOURCC('N', 'V', '1', '2');
    else if (d->nb_layers == 2 && format == AV_PIX_FMT_P010) out->fourcc = ZT_FOURCC('P', '0', '1', '0');
    return out->fourcc != 0 && out->count > 0;
}
// Returns the pixel format of a frame on a device, or the frame's own format if it is in memory.
static inline int zt_frame_software_format(const AVFrame *f) {
    return f->hw_frames_ctx ? ((const AVHWFramesContext *)f->hw_frames_ctx->data)->sw_format : f->format;
}

// Stream side data: av_stream_get_side_data (5, 6.0) was replaced by a function of codecpar (6.1, 7).
static inline const uint8_t *zt_stream_side_data(const AVStream *st, enum AVPacketSideDataType type) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVPacketSideData *sd = av_packet_side_data_get(
        st->codecpar->coded_side_data, st->codecpar->nb_coded_side_data, type);
    return sd ? sd->data : 0;
#else
    return av_stream_get_side_data(st, type, 0);
#endif
}

// Adds side data to a stream: av_stream_add_side_data (5, 6.0) was replaced by a function of codecpar too. Takes
// ownership of `data`, which av_malloc allocated, and frees it on failure. Returns 0 if there is not enough memory.
static inline int zt_stream_add_side_data(AVStream *st, enum AVPacketSideDataType type, void *data, size_t size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    int added = av_packet_side_data_add(&st->codecpar->coded_side_data, &st->codecpar->nb_coded_side_data, type, data, size, 0) != 0;
#else
    int added = av_stream_add_side_data(st, type, (uint8_t *)data, size) >= 0;
#endif
    if (!added) av_free(data);
    return added;
}
// Returns the nine numbers of a stream's display matrix, or NULL if the container has none.
static inline const int32_t *zt_stream_display_matrix(const AVStream *st) {
    return (const int32_t *)zt_stream_side_data(st, AV_PKT_DATA_DISPLAYMATRIX);
}
// Returns the nine numbers of a decoded frame's display matrix, or NULL if the frame has none.
static inline const int32_t *zt_frame_display_matrix(const AVFrame *f) {
    const AVFrameSideData *sd = av_frame_get_side_data(f, AV_FRAME_DATA_DISPLAYMATRIX);
    return sd && sd->size >= 9 * sizeof(int32_t) ? (const int32_t *)sd->data : 0;
}
// Sets a frame's display matrix. Does nothing if there is not enough memory.
static inline void zt_frame_set_display_matrix(AVFrame *f, const int32_t *matrix) {
    AVFrameSideData *sd = av_frame_new_side_data(f, AV_FRAME_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
    if (sd) memcpy(sd->data, matrix, 9 * sizeof(int32_t));
}

// libavfilter, loaded when it is first needed. It brings some 30 libraries (speech synthesis, Vulkan, …), 10 MB and
// milliseconds at every start, for a filter that most players never use. The version is that of the headers. Its
// structs are opaque to Swift: for the 60 KB that AVFilterLink reserves, Swift would generate 70 KB of code in each
// module.
typedef struct zt_filter zt_filter;
typedef struct zt_filter_context zt_filter_context;
typedef struct zt_filter_graph zt_filter_graph;
typedef struct {
    zt_filter_graph *(*graph_alloc)(void);
    void (*graph_free)(zt_filter_graph **graph);
    int (*graph_create_filter)(
        zt_filter_context **context, const zt_filter *filter, const char *name, const char *options, void *opaque, zt_filter_graph *graph);
    int (*graph_config)(zt_filter_graph *graph, void *log);
    int (*graph_send_command)(
        zt_filter_graph *graph, const char *target, const char *command, const char *argument, char *answer, int capacity, int flags);
    const zt_filter *(*get_by_name)(const char *name);
    int (*link)(zt_filter_context *source, unsigned output, zt_filter_context *sink, unsigned input);
    int (*buffersrc_add_frame_flags)(zt_filter_context *source, AVFrame *frame, int flags);
    int (*buffersink_get_frame)(zt_filter_context *sink, AVFrame *frame);
} zt_avfilter;
static inline void zt_filter_graph_use_one_thread(zt_filter_graph *graph) { ((AVFilterGraph *)graph)->nb_threads = 1; }
// Loads libavfilter. Returns 0 if it is not installed or lacks a function.
static inline int zt_avfilter_load(zt_avfilter *f) {
    char name[32];
    snprintf(name, sizeof name, "libavfilter.so.%d", LIBAVFILTER_VERSION_MAJOR);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    return (f->graph_alloc = dlsym(library, "avfilter_graph_alloc"))
        && (f->graph_free = dlsym(library, "avfilter_graph_free"))
        && (f->graph_create_filter = dlsym(library, "avfilter_graph_create_filter"))
        && (f->graph_config = dlsym(library, "avfilter_graph_config"))
        && (f->graph_send_command = dlsym(library, "avfilter_graph_send_command"))
        && (f->get_by_name = dlsym(library, "avfilter_get_by_name"))
        && (f->link = dlsym(library, "avfilter_link"))
        && (f->buffersrc_add_frame_flags = dlsym(library, "av_buffersrc_add_frame_flags"))
        && (f->buffersink_get_frame = dlsym(library, "av_buffersink_get_frame"));
}

static inline void zt_quiet_logs(void) { av_log_set_level(AV_LOG_QUIET); }

#endif
