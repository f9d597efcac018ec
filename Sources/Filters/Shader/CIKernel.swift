/// Core Image's kernel type. It is unavailable, because its language, Metal's, can't be compiled on Linux.
@available(
    *, unavailable, message: "Kernels in Metal's language can't be compiled. Write the effect as a VideoShader in GLSL."
)
public typealias CIKernel = VideoShader
/// Core Image's type for kernels that only change colors. Unavailable for the same reason as `CIKernel`.
@available(
    *, unavailable, message: "Kernels in Metal's language can't be compiled. Write the effect as a VideoShader in GLSL."
)
public typealias CIColorKernel = VideoShader
/// Core Image's type for kernels that only move pixels. Unavailable for the same reason as `CIKernel`.
@available(
    *, unavailable, message: "Kernels in Metal's language can't be compiled. Write the effect as a VideoShader in GLSL."
)
public typealias CIWarpKernel = VideoShader
