//VTK::System::Dec

// One tube is one quad of four vertices, two at each end, told apart by their numbers. Here the quad is laid around the
// projection of the round cone between its ends, facing the camera.

uniform samplerBuffer ends;      // per end of a tube: its place, its radius
uniform samplerBuffer colors;    // per end of a tube
uniform isamplerBuffer branches; // per tube; -1: none
uniform usamplerBuffer marks;    // per branch
uniform isamplerBuffer places;   // per end of a tube, where values colour it
uniform usamplerBuffer values;   // per place
uniform samplerBuffer palette;   // per value
uniform int coloredByValues;

uniform mat4 sceneToView;
uniform mat4 viewToClip;
uniform int parallelProjection;
uniform float pixelUnit;   // scene units a pixel, at depth 1 where the projection is perspective
uniform float leastRadius; // pixels
uniform float outlineWidth; // pixels, of the selected branch
uniform float hoverWidth;
uniform float litWidth;
uniform int anySelected;
uniform int hoveredBranch;

smooth out vec3 positionVC; // of the quad, in view coordinates
smooth out vec3 offsetVC;   // the same from end A, computed without cancellation
smooth out vec3 tubeColor;
flat out vec3 axisVC;       // from end A to end B
flat out vec4 endRadii;     // at A and B; then with the outline around them
flat out float isDimmed;
flat out float isBehindAll; // the outline

float pixelAt(vec3 point)
{
  return parallelProjection != 0 ? pixelUnit : pixelUnit * max(-point.z, 1e-20);
}

vec3 colorOf(int end)
{
  if (coloredByValues == 0)
    return texelFetch(colors, end).rgb;
  return texelFetch(palette, int(texelFetch(values, texelFetch(places, end).r).r)).rgb;
}

void main()
{
  int tube = gl_VertexID >> 2;
  int id = texelFetch(branches, tube).r;
  uint mark = id < 0 ? 0u : texelFetch(marks, id).r; // 0 plain, 1 selected, 2 hidden, 3 lit
  bool isSelected = mark == 1u;
  bool isEndB = (gl_VertexID & 2) != 0;
  float side = (gl_VertexID & 1) != 0 ? 1.0 : -1.0;
  vec4 endA = texelFetch(ends, 2 * tube);
  vec4 endB = texelFetch(ends, 2 * tube + 1);
  vec3 a = endA.xyz;
  vec3 b = endB.xyz;
  vec3 aVC = (sceneToView * vec4(a, 1.0)).xyz;
  vec3 bVC = (sceneToView * vec4(b, 1.0)).xyz;
  axisVC = mat3(sceneToView) * (b - a);

  vec2 trueRadii = vec2(endA.w, endB.w);
  vec2 pixel = vec2(pixelAt(aVC), pixelAt(bVC));
  vec2 least = leastRadius * pixel;
  // Thin tubes stay visible, and a thicker one still looks thicker.
  endRadii.xy = sqrt(trueRadii * trueRadii + least * least);
  bool isHovered = id >= 0 && id == hoveredBranch;
  bool isLit = mark == 3u;
  float outline = isSelected ? outlineWidth : isHovered ? hoverWidth : isLit ? litWidth : 0.0;
  isBehindAll = isLit && !isSelected && !isHovered ? 1.0 : 0.0;
  endRadii.zw = endRadii.xy + outline * pixel;
  isDimmed = anySelected != 0 && !isSelected ? 1.0 : 0.0;

  // Directions from the eye to the ends, and the tangents of the angles under which the ends appear.
  vec3 toA = vec3(0.0, 0.0, -1.0);
  vec3 toB = toA;
  vec2 reach = vec2(1.0);
  vec2 extent = endRadii.zw;
  if (parallelProjection == 0) {
    reach = vec2(length(aVC), length(bVC));
    toA = aVC / reach.x;
    toB = bVC / reach.y;
    vec2 sine = min(endRadii.zw / reach, 0.995);
    extent = sine * inversesqrt(1.0 - sine * sine);
  }
  vec3 across = cross(toA, axisVC);
  float size = length(across);
  if (size <= 1e-6 * length(axisVC) || size == 0.0) {
    across = abs(toA.x) < 0.7 ? cross(toA, vec3(1.0, 0.0, 0.0)) : cross(toA, vec3(0.0, 1.0, 0.0));
    size = length(across);
  }
  across /= size;
  // A little more than needed: the far ends of a perspective quad are seen under slightly smaller angles.
  float margin = max(extent.x, extent.y) * 1.05;

  vec3 along = isEndB ? cross(across, toB) : -cross(across, toA);
  vec3 corner = (isEndB ? reach.y : reach.x) * margin * (along + side * across);
  offsetVC = (isEndB ? axisVC : vec3(0.0)) + corner;
  positionVC = (isEndB ? bVC : aVC) + corner;
  tubeColor = colorOf(gl_VertexID >> 1);
  gl_Position = mark == 2u ? vec4(2.0, 2.0, 2.0, 1.0) : viewToClip * vec4(positionVC, 1.0);
}
