/// Core Image's kernels are written in Metal's language, which can't be compiled on Linux.
@available(
    *, unavailable, message: "Kernels in Metal's language can't be compiled. Write the effect as a VideoShader in GLSL."
)
public typealias CIKernel = VideoShader
/// The same for kernels that change colors only.
@available(
    *, unavailable, message: "Kernels in Metal's language can't be compiled. Write the effect as a VideoShader in GLSL."
)
public typealias CIColorKernel = VideoShader
/// The same for kernels that move pixels only.
@available(
    *, unavailable, message: "Kernels in Metal's language can't be compiled. Write the effect as a VideoShader in GLSL."
)
public typealias CIWarpKernel = VideoShader
